// The names under which wheels and other bundles carry OpenBLAS, as entry points of our own: one indirect jump
// each, so that arguments of every convention pass untouched. aliases.cpp fills in the targets when loaded.
#if defined(__x86_64__)
        .macro enter target
        endbr64
        jmp     *\target(%rip)
        .endm
#elif defined(__aarch64__)
        .macro enter target
        hint    #34                             // bti c
        adrp    x16, \target
        ldr     x17, [x16, :lo12:\target]
        br      x17
        .endm
#else
#error "The entry points are written for x86-64 and AArch64."
#endif

        // One entry point, and its line in the table that aliases.cpp reads: the target, the name to find it by.
        .macro alias symbol, name
        .section .rodata.str1.1, "aMS", %progbits, 1
.Lname\@: .asciz "\name"
        .section trigon_aliases, "aw", %progbits
        .p2align 3
.Ltarget\@:
        .quad   0, .Lname\@
        .text
        .p2align 4
        .globl  \symbol
        .type   \symbol, %function
\symbol:
        .cfi_startproc
        enter   .Ltarget\@
        .cfi_endproc
        .size   \symbol, .-\symbol
        .endm

        // 32-bit integers: scipy_dtrsm_. 64-bit ones: dtrsm_64_ and scipy_dtrsm_64_, in C with and without the
        // last underscore.
        .macro routine name
        alias   scipy_\name\()_, \name\()_
        alias   scipy_cblas_\name, cblas_\name
        alias   \name\()_64_, \name\()_64_
        alias   scipy_\name\()_64_, \name\()_64_
        alias   cblas_\name\()64_, cblas_\name\()64_
        alias   cblas_\name\()_64, cblas_\name\()64_
        alias   scipy_cblas_\name\()64_, cblas_\name\()64_
        .endm

        .irp    precision, s, d, c, z
        .irp    operation, gemm, symm, syrk, syr2k, trmm, trsm, trmv, trsv
        routine \precision\()\operation
        .endr
        .endr
        .irp    precision, c, z
        .irp    operation, hemm, herk, her2k
        routine \precision\()\operation
        .endr
        .endr

        .section .note.GNU-stack, "", %progbits
