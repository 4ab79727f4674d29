// Makes the error handlers that a program has replaced known to the BLAS behind the drop-in.
#pragma once

struct link_map;

namespace trigon::doors {

/// The forward library is opened so that it sees its own symbols before the program's (or two builds of
/// OpenBLAS would tear each other apart), its own xerbla_ included: and so a program that replaced xerbla_ would
/// not hear of a bad argument of DGEMV. This points the library's references to the handlers, and to the two
/// variables that go with them, at what the whole program uses, as linking without Trigon would have done.
void bind_error_handlers(const link_map* library);

}  // namespace trigon::doors
