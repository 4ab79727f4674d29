// The reference and the judge of results, once for all of the tests, the tool and the benchmarks: they are templates
// that take seconds to compile, and every one of those programs asks them.
#define TRIGON_ORACLE_INLINE
#include <trigon/verify.hpp>
