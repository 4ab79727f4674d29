// Trigon: dense triangular BLAS. Include this one.
#pragma once

#include <trigon/blas.hpp>
#include <trigon/call.hpp>
#include <trigon/device.hpp>
#include <trigon/error.hpp>
#include <trigon/inspect.hpp>
#include <trigon/lapack.hpp>
#include <trigon/types.hpp>
