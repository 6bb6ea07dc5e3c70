// Every operation against std::vector<char>, for all sizes around one, two and three words.
#include "dynamic_bitset.hpp"

#include <cstdio>
#include <vector>

#include "xorshift.hpp"

using Plain = std::vector<char>;

static bool agree(const polya::DynamicBitset& set, const Plain& plain) {
    int count = 0;
    std::vector<int> elements, visited;
    for (int index = 0; index < int(plain.size()); ++index) {
        if (set[index] != bool(plain[std::size_t(index)])) return false;
        if (plain[std::size_t(index)]) ++count, elements.push_back(index);
    }
    set.for_each([&](int index) { visited.push_back(index); });
    if (visited != elements || set.count() != count || set.any() != (count > 0)) return false;
    if (set.first() != (count > 0 ? elements.front() : set.size())) return false;
    int next = set.size();
    for (int from = set.size(); from >= 0; --from) {
        if (from < set.size() && plain[std::size_t(from)]) next = from;
        if (set.next(from) != next) return false;
    }
    return true;
}

template <class Operation>
static Plain combined(const Plain& a, const Plain& b, Operation operation) {
    Plain result(a.size());
    for (std::size_t index = 0; index < a.size(); ++index) result[index] = char(operation(bool(a[index]), bool(b[index])));
    return result;
}

static int check(polya::Random& random, int size) {
    polya::DynamicBitset a(size), b(size, true);
    Plain plain_a(std::size_t(size), 0), plain_b(std::size_t(size), 1);
    const auto wrong = [&](const char* what) { return std::printf("%s differs for %d elements\n", what, size), 1; };
    if (!agree(a, plain_a) || !agree(b, plain_b)) return wrong("the beginning");
    for (int round = 0; round < 12; ++round) {
        for (int change = 0; change < 20 && size > 0; ++change) {
            const int index = int(random.below(unsigned(size)));
            const bool value = random.below(2) == 0;
            a.set(index, value), plain_a[std::size_t(index)] = value;
            b.flip(index), plain_b[std::size_t(index)] ^= 1;
        }
        if (!agree(a, plain_a) || !agree(b, plain_b)) return wrong("a change");
        const Plain both = combined(plain_a, plain_b, [](bool x, bool y) { return x && y; });
        if (!agree(a & b, both)) return wrong("and");
        if (!agree(a | b, combined(plain_a, plain_b, [](bool x, bool y) { return x || y; }))) return wrong("or");
        if (!agree(a ^ b, combined(plain_a, plain_b, [](bool x, bool y) { return x != y; }))) return wrong("exclusive or");
        if (!agree(a - b, combined(plain_a, plain_b, [](bool x, bool y) { return x && !y; }))) return wrong("without");
        if (a.count_common(b) != (a & b).count() || a.intersects(b) != (a & b).any()) return wrong("what is common");
        if (a.is_subset_of(b) != (both == plain_a) || !(a & b).is_subset_of(a) || (a == b) != (plain_a == plain_b)) return wrong("a subset");
        a.flip_all();
        for (char& each : plain_a) each ^= 1;
        if (!agree(a, plain_a)) return wrong("flip_all");
    }
    a.fill(true), b.fill(false);
    return agree(a, Plain(std::size_t(size), 1)) && agree(b, Plain(std::size_t(size), 0)) ? 0 : wrong("fill");
}

int main() {
    polya::Random random(24);
    for (const int size : {0, 1, 2, 31, 63, 64, 65, 100, 127, 128, 129, 192})
        if (check(random, size)) return 1;
    std::printf("ok\n");
}
