// Entry points of the routines that another BLAS carries out. Each is one indirect jump, so arguments and results
// of every convention pass untouched: registers, the stack, hidden string lengths, complex results whether in
// registers or through a hidden pointer. Until a routine's first call its target is `resolve`, which asks
// trigon_forward_resolve (forward.cpp) for the address with all argument registers preserved.
#include "names.h"

#if defined(__x86_64__)

        .text
        .p2align 4
        .type   resolve, @function
resolve:                                        // %r11: the Forward of the routine
        .cfi_startproc
        endbr64
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        andq    $-16, %rsp
        subq    $192, %rsp
        movaps  %xmm0, 0(%rsp)
        movaps  %xmm1, 16(%rsp)
        movaps  %xmm2, 32(%rsp)
        movaps  %xmm3, 48(%rsp)
        movaps  %xmm4, 64(%rsp)
        movaps  %xmm5, 80(%rsp)
        movaps  %xmm6, 96(%rsp)
        movaps  %xmm7, 112(%rsp)
        movq    %rdi, 128(%rsp)
        movq    %rsi, 136(%rsp)
        movq    %rdx, 144(%rsp)
        movq    %rcx, 152(%rsp)
        movq    %r8, 160(%rsp)
        movq    %r9, 168(%rsp)
        movq    %rax, 176(%rsp)                 // number of vector registers of a variadic call
        movq    %r10, 184(%rsp)
        movq    %r11, %rdi
        call    trigon_forward_resolve
        movq    %rax, %r11
        movaps  0(%rsp), %xmm0
        movaps  16(%rsp), %xmm1
        movaps  32(%rsp), %xmm2
        movaps  48(%rsp), %xmm3
        movaps  64(%rsp), %xmm4
        movaps  80(%rsp), %xmm5
        movaps  96(%rsp), %xmm6
        movaps  112(%rsp), %xmm7
        movq    128(%rsp), %rdi
        movq    136(%rsp), %rsi
        movq    144(%rsp), %rdx
        movq    152(%rsp), %rcx
        movq    160(%rsp), %r8
        movq    168(%rsp), %r9
        movq    176(%rsp), %rax
        movq    184(%rsp), %r10
        leave
        .cfi_def_cfa %rsp, 8
        jmp     *%r11
        .cfi_endproc
        .size   resolve, .-resolve

        .macro enter forward
        endbr64
        leaq    \forward(%rip), %r11
        jmp     *(%r11)
        .endm

#elif defined(__aarch64__)

        .text
        .p2align 4
        .type   resolve, %function
resolve:                                        // x16: the Forward of the routine
        .cfi_startproc
        hint    #34                             // bti c
        stp     x29, x30, [sp, #-224]!
        .cfi_def_cfa_offset 224
        .cfi_offset x29, -224
        .cfi_offset x30, -216
        mov     x29, sp
        .cfi_def_cfa_register x29
        stp     x0, x1, [sp, #16]
        stp     x2, x3, [sp, #32]
        stp     x4, x5, [sp, #48]
        stp     x6, x7, [sp, #64]
        str     x8, [sp, #80]                   // where a result in memory goes
        stp     q0, q1, [sp, #96]
        stp     q2, q3, [sp, #128]
        stp     q4, q5, [sp, #160]
        stp     q6, q7, [sp, #192]
        mov     x0, x16
        bl      trigon_forward_resolve
        mov     x17, x0
        ldp     x0, x1, [sp, #16]
        ldp     x2, x3, [sp, #32]
        ldp     x4, x5, [sp, #48]
        ldp     x6, x7, [sp, #64]
        ldr     x8, [sp, #80]
        ldp     q0, q1, [sp, #96]
        ldp     q2, q3, [sp, #128]
        ldp     q4, q5, [sp, #160]
        ldp     q6, q7, [sp, #192]
        ldp     x29, x30, [sp], #224
        .cfi_def_cfa sp, 0
        .cfi_restore x29
        .cfi_restore x30
        br      x17
        .cfi_endproc
        .size   resolve, .-resolve

        .macro enter forward
        hint    #34
        adrp    x16, \forward
        add     x16, x16, :lo12:\forward
        ldr     x17, [x16]
        br      x17
        .endm

#else
#error "The forwarding entry points are written for x86-64 and AArch64."
#endif

        // One entry point, and its Forward: the target, then the routine's name in the 32-bit convention.
        .macro forward symbol, name
        .section .rodata.str1.1, "aMS", %progbits, 1
.Lname\@: .asciz "\name"
        .section .data.rel, "aw", %progbits
        .p2align 3
.Lforward\@:
        .quad   resolve, .Lname\@
        .text
        .p2align 4
        .globl  \symbol
        .type   \symbol, %function
\symbol:
        .cfi_startproc
        enter   .Lforward\@
        .cfi_endproc
        .size   \symbol, .-\symbol
        .endm

        .hidden trigon_forward_resolve

#define FORTRAN(name) forward TRIGON_FORTRAN(name), TRIGON_PASTE(name, _);
#ifdef TRIGON_BLAS_ILP64
#define CBLAS(name) forward TRIGON_CBLAS(name), TRIGON_PASTE(cblas_, name); \
                    forward TRIGON_CBLAS_ALIAS(name), TRIGON_PASTE(cblas_, name);
#else
#define CBLAS(name) forward TRIGON_CBLAS(name), TRIGON_PASTE(cblas_, name);
#endif
#define BOTH(name) FORTRAN(name) CBLAS(name)

#ifdef TRIGON_FORWARDED_PLAIN
#include "forwarded_plain.def"
#else
#include "forwarded.def"
#endif

        .section .note.GNU-stack, "", %progbits
