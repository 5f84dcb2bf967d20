// io_faults.c declares nothing, because it is preloaded.
