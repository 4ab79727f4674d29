// The entry points that libblas.so.3 alone has.
#define TRIGON_FORWARDED_PLAIN
#include "forward.S"
