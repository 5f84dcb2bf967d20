// CCurl: libcurl's variadic functions for Swift, one for each type of argument. Swift calls all other
// functions directly.
#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
/// libcurl copies the text.
CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value);
/// libcurl keeps the pointer: it must outlive the transfer.
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value);
CURLcode ccurl_set_on_data(CURL *easy, CURLoption option, curl_write_callback callback);
CURLcode ccurl_set_on_progress(CURL *easy, curl_xferinfo_callback callback);
CURLcode ccurl_set_on_seek(CURL *easy, curl_seek_callback callback);
CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback callback);

CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value);
/// The text belongs to the handle.
CURLcode ccurl_get_string(CURL *easy, CURLINFO info, const char **value);

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);

#endif
