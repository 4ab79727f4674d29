// Which operations, precisions and variants there are, and the words people give for them.
#pragma once

#include <trigon/call.hpp>

#include <string>
#include <vector>

namespace trigon::bench {

/// The operations behind words: a name, "all" (every one), "standard" (those of the standard sweep),
/// "regions" (none of its own).
/// Throws trigon::error that lists the names.
std::vector<Operation> parse_operations(const std::vector<std::string>& words);

/// The precisions behind letters of s, d, c, z, as far as the operation has them.
std::vector<Precision> precisions_of(Operation, const std::string& letters);

/// All variants of an operation, in letters: side, uplo, op, diag, as far as it has them.
std::vector<std::string> variants(Operation, Precision);
/// The letters of a call.
std::string variant(const Call&);
/// Sets the flags of a call from the letters of its variant.
void apply(Call&, const std::string& letters);

}  // namespace trigon::bench
