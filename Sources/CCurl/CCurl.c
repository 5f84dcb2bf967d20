#include "CCurl.h"

// curl.h wraps these functions in macros that expect literal options; here, options are parameters.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value)
{
    return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value)
{
    return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value)
{
    return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value)
{
    return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_on_data(CURL *easy, CURLoption option, curl_write_callback callback)
{
    return curl_easy_setopt(easy, option, callback);
}

CURLcode ccurl_set_on_progress(CURL *easy, curl_xferinfo_callback callback)
{
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, callback);
}

CURLcode ccurl_set_on_seek(CURL *easy, curl_seek_callback callback)
{
    return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, callback);
}

CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback callback)
{
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}

CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value)
{
    return curl_easy_getinfo(easy, info, value);
}

CURLcode ccurl_get_string(CURL *easy, CURLINFO info, const char **value)
{
    return curl_easy_getinfo(easy, info, value);
}

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value)
{
    return curl_multi_setopt(multi, option, value);
}
