// Nothing but a name: a library whose soname is libblas.so.3 and which depends on the drop-in. lapack.cpp opens
// it before the reference LAPACK, which asks for libblas.so.3: the system's would be loaded a second time, and
// where that is OpenBLAS's, it fails to load once another OpenBLAS is in the process.
