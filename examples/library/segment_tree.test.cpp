// Every range of every small array against combining one by one, for monoids that commute and one that does not; both
// searches against trying each length.
#include "segment_tree.hpp"

#include <cstdio>
#include <vector>

#include "xorshift.hpp"

// x -> factor * x + offset, modulo 256: the order matters.
struct Affine {
    struct Value {
        unsigned char factor, offset;
        friend bool operator==(const Value&, const Value&) = default;
    };
    static Value identity() { return {1, 0}; }
    static Value combine(Value first, Value then) {
        return {static_cast<unsigned char>(first.factor * then.factor), static_cast<unsigned char>(then.factor * first.offset + then.offset)};
    }
};

template <class Monoid, class Draw>
static int check(const char* what, Draw draw, polya::Random& random) {
    using Value = typename Monoid::Value;
    for (int size = 0; size <= 18; ++size) {
        std::vector<Value> values;
        for (int index = 0; index < size; ++index) values.push_back(draw(index));
        polya::SegmentTree<Monoid> tree(values);
        for (int round = 0; round < 5; ++round) {
            for (int first = 0; first <= size; ++first) {
                Value expected = Monoid::identity();
                for (int last = first; last <= size; ++last) {
                    if (!(tree.fold(first, last) == expected)) return std::printf("%s: [%d, %d) of %d differs\n", what, first, last, size), 1;
                    if (last < size) expected = Monoid::combine(expected, values[std::size_t(last)]);
                }
            }
            if (!(tree.fold_all() == tree.fold(0, size))) return std::printf("%s: all of %d differs\n", what, size), 1;
            if (size == 0) continue;
            const int index = int(random.below(unsigned(size)));
            values[std::size_t(index)] = draw(index);
            tree.set(index, values[std::size_t(index)]);
            if (!(tree[index] == values[std::size_t(index)])) return std::printf("%s: a value differs\n", what), 1;
        }
    }
    return 0;
}

static int check_searches(polya::Random& random) {
    for (int size = 0; size <= 18; ++size) {
        std::vector<int> values(static_cast<std::size_t>(size));
        for (int& each : values) each = int(random.below(4));
        const polya::SegmentTree<polya::monoid::Sum<int>> tree(values);
        for (int limit = 0; limit <= 30; ++limit) {
            const auto holds = [&](int sum) { return sum <= limit; };
            for (int end = 0; end <= size; ++end) {
                int last = end, first = end;
                while (last < size && tree.fold(end, last + 1) <= limit) ++last;
                while (first > 0 && tree.fold(first - 1, end) <= limit) --first;
                if (tree.last_that(end, holds) != last) return std::printf("last_that(%d) of %d is not %d\n", end, size, last), 1;
                if (tree.first_that(end, holds) != first) return std::printf("first_that(%d) of %d is not %d\n", end, size, first), 1;
            }
        }
    }
    return 0;
}

int main() {
    polya::Random random(15);
    const auto number = [&](int) { return random.between(-50, 50); };
    if (check<polya::monoid::Sum<int>>("sum", number, random)) return 1;
    if (check<polya::monoid::Minimum<int>>("minimum", number, random)) return 1;
    if (check<polya::monoid::Maximum<int>>("maximum", number, random)) return 1;
    using First = polya::monoid::FirstMinimum<int>;
    if (check<First>("first minimum", [&](int index) { return First::Value{random.between(0, 3), index}; }, random)) return 1;
    const auto affine = [&](int) { return Affine::Value{static_cast<unsigned char>(random()), static_cast<unsigned char>(random())}; };
    if (check<Affine>("affine", affine, random)) return 1;
    if (check_searches(random)) return 1;
    polya::SegmentTree<polya::monoid::Sum<int>> sevens(5, 7);
    if (sevens.fold_all() != 35) return std::printf("five sevens are %d\n", sevens.fold_all()), 1;
    std::printf("ok\n");
}
