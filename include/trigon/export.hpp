// What libtrigon.so shows; everything else in it is hidden.
#pragma once

#define TRIGON_API __attribute__((visibility("default")))
