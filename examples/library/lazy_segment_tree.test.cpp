// Random actions, folds, sets and searches against a plain array, for all ready rules and one whose actions do not commute.
#include "lazy_segment_tree.hpp"

#include <cstdio>
#include <vector>

#include "xorshift.hpp"

// Multiply and add to a range, sum of a range, modulo 256.
struct AffineSum {
    using Value = unsigned char;
    struct Action {
        unsigned char factor, offset;
        friend bool operator==(const Action&, const Action&) = default;
    };
    static Value identity() { return 0; }
    static Value combine(Value a, Value b) { return Value(a + b); }
    static Action nothing() { return {1, 0}; }
    static Action compose(Action later, Action earlier) {
        return {Value(later.factor * earlier.factor), Value(later.factor * earlier.offset + later.offset)};
    }
    static Value apply(Action action, Value value, int length) { return Value(action.factor * value + action.offset * length); }
};

template <class Rule, class DrawValue, class DrawAction>
static int check(const char* what, DrawValue value, DrawAction action, polya::Random& random) {
    using Value = typename Rule::Value;
    for (int size = 1; size <= 20; ++size) {
        std::vector<Value> plain;
        for (int index = 0; index < size; ++index) plain.push_back(value());
        polya::LazySegmentTree<Rule> tree(plain);
        for (int round = 0; round < 120; ++round) {
            int first = random.between(0, size), last = random.between(0, size);
            if (first > last) std::swap(first, last);
            const unsigned kind = random.below(4);
            if (kind == 0) {
                const auto done = action();
                tree.apply(first, last, done);
                for (int each = first; each < last; ++each) plain[std::size_t(each)] = Rule::apply(done, plain[std::size_t(each)], 1);
            } else if (kind == 1 && first < size) {
                plain[std::size_t(first)] = value();
                tree.set(first, plain[std::size_t(first)]);
            } else if (kind == 2 && first < size) {
                if (tree.get(first) != plain[std::size_t(first)]) return std::printf("%s: value %d of %d differs\n", what, first, size), 1;
            } else {
                Value expected = Rule::identity();
                for (int each = first; each < last; ++each) expected = Rule::combine(expected, plain[std::size_t(each)]);
                if (tree.fold(first, last) != expected) return std::printf("%s: [%d, %d) of %d differs\n", what, first, last, size), 1;
            }
            Value all = Rule::identity();
            for (const Value& each : plain) all = Rule::combine(all, each);
            if (tree.fold_all() != all) return std::printf("%s: all of %d differs\n", what, size), 1;
        }
    }
    return 0;
}

static int check_search(polya::Random& random) {
    for (int size = 1; size <= 20; ++size) {
        polya::LazySegmentTree<polya::rule::AddMinimum<int>> tree(size, 0);
        std::vector<int> plain(static_cast<std::size_t>(size));
        for (int round = 0; round < 60; ++round) {
            const int first = random.between(0, size - 1), last = random.between(first, size), more = random.between(-3, 3);
            tree.apply(first, last, more);
            for (int each = first; each < last; ++each) plain[std::size_t(each)] += more;
            const int from = random.between(0, size), least = random.between(-5, 5);
            int expected = from;
            while (expected < size && plain[std::size_t(expected)] >= least) ++expected;
            const int found = tree.last_that(from, [&](int minimum) { return minimum >= least; });
            if (found != expected) return std::printf("last_that(%d) of %d is %d, not %d\n", from, size, found, expected), 1;
        }
    }
    return 0;
}

int main() {
    polya::Random random(16);
    const auto number = [&] { return random.between(-20, 20); };
    const auto byte = [&] { return static_cast<unsigned char>(random()); };
    if (check<polya::rule::AddMinimum<int>>("minimum", number, number, random)) return 1;
    if (check<polya::rule::AddMaximum<int>>("maximum", number, number, random)) return 1;
    if (check<polya::rule::AddSum<int>>("sum", number, number, random)) return 1;
    if (check<polya::rule::AssignSum<int>>("assign", number, [&] { return std::optional<int>(number()); }, random)) return 1;
    if (check<AffineSum>("affine", byte, [&] { return AffineSum::Action{byte(), byte()}; }, random)) return 1;
    if (check_search(random)) return 1;
    std::printf("ok\n");
}
