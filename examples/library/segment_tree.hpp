// Combined values of ranges of an array that changes one element at a time, in log n steps.
//
// What combines is a Monoid: `Value`, `identity()` and an associative `combine(a, b)`, which need not commute: ranges
// are combined from left to right. Ready ones are monoid::Sum, Minimum, Maximum and FirstMinimum (which one it is).
// To change whole ranges at once use lazy_segment_tree.hpp; for sums alone fenwick_tree.hpp is smaller and faster.
#pragma once
#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <limits>
#include <vector>

namespace polya {

namespace monoid {

template <class Number>
struct Sum {
    using Value = Number;
    static constexpr Value identity() { return Value{}; }
    static constexpr Value combine(Value a, Value b) { return a + b; }
};

template <class Number>
struct Minimum {
    using Value = Number;
    static constexpr Value identity() { return std::numeric_limits<Number>::max(); }
    static constexpr Value combine(Value a, Value b) { return b < a ? b : a; }
};

template <class Number>
struct Maximum {
    using Value = Number;
    static constexpr Value identity() { return std::numeric_limits<Number>::lowest(); }
    static constexpr Value combine(Value a, Value b) { return a < b ? b : a; }
};

// The smallest and where it stands; among equals the first.
template <class Number>
struct FirstMinimum {
    struct Value {
        Number value;
        int index;
        friend constexpr bool operator==(const Value&, const Value&) = default;
    };
    static constexpr Value identity() { return {std::numeric_limits<Number>::max(), -1}; }
    static constexpr Value combine(const Value& a, const Value& b) {
        if (a.index < 0) return b;
        return b.index >= 0 && b.value < a.value ? b : a;
    }
};

}  // namespace monoid

template <class Monoid>
class SegmentTree {
public:
    using Value = typename Monoid::Value;

    explicit SegmentTree(const std::vector<Value>& values)
        : size_(int(values.size())),
          leaves_(std::bit_ceil(values.size() + (values.empty() ? 1 : 0))),
          tree_(2 * leaves_, Monoid::identity()) {
        std::copy(values.begin(), values.end(), tree_.begin() + std::ptrdiff_t(leaves_));
        for (std::size_t node = leaves_; --node > 0;) renew(node);
    }

    explicit SegmentTree(int size, const Value& value = Monoid::identity())
        : SegmentTree(std::vector<Value>(std::size_t(size), value)) {}

    int size() const { return size_; }
    const Value& operator[](int index) const { return tree_[leaf(index)]; }

    void set(int index, const Value& value) {
        std::size_t node = leaf(index);
        tree_[node] = value;
        while (node >>= 1) renew(node);
    }

    // From `first` on to before `last`; the identity where that is nothing.
    Value fold(int first, int last) const {
        assert(0 <= first && first <= last && last <= size_);
        Value before = Monoid::identity(), after = Monoid::identity();
        std::size_t low = leaves_ + std::size_t(first), high = leaves_ + std::size_t(last);
        for (; low < high; low >>= 1, high >>= 1) {
            if (low & 1) before = Monoid::combine(before, tree_[low++]);
            if (high & 1) after = Monoid::combine(tree_[--high], after);
        }
        return Monoid::combine(before, after);
    }

    const Value& fold_all() const { return tree_[1]; }

    // The largest `last` for which holds(fold(first, last)); it must hold for the identity, and once it fails it must
    // fail for all that is longer.
    template <class Predicate>
    int last_that(int first, Predicate&& holds) const {
        assert(0 <= first && first <= size_ && holds(Monoid::identity()));
        if (first == size_) return size_;
        Value before = Monoid::identity();
        std::size_t node = leaves_ + std::size_t(first);
        do {
            // As high as this node is the left end of something.
            node >>= std::countr_zero(node);
            if (!holds(Monoid::combine(before, tree_[node]))) {
                while (node < leaves_) {
                    node *= 2;
                    if (Value longer = Monoid::combine(before, tree_[node]); holds(longer)) before = longer, ++node;
                }
                return int(node - leaves_);
            }
            before = Monoid::combine(before, tree_[node++]);
        } while (!std::has_single_bit(node));
        return size_;
    }

    // The smallest `first` for which holds(fold(first, last)), on the same terms.
    template <class Predicate>
    int first_that(int last, Predicate&& holds) const {
        assert(0 <= last && last <= size_ && holds(Monoid::identity()));
        if (last == 0) return 0;
        Value after = Monoid::identity();
        std::size_t node = leaves_ + std::size_t(last);
        do {
            --node;
            while (node > 1 && (node & 1)) node >>= 1;
            if (!holds(Monoid::combine(tree_[node], after))) {
                while (node < leaves_) {
                    node = 2 * node + 1;
                    if (Value longer = Monoid::combine(tree_[node], after); holds(longer)) after = longer, --node;
                }
                return int(node + 1 - leaves_);
            }
            after = Monoid::combine(tree_[node], after);
        } while (!std::has_single_bit(node));
        return 0;
    }

private:
    int size_;
    std::size_t leaves_;
    // The children of node i are 2i and 2i + 1; the leaves come last.
    std::vector<Value> tree_;

    std::size_t leaf(int index) const {
        assert(0 <= index && index < size_);
        return leaves_ + std::size_t(index);
    }

    void renew(std::size_t node) { tree_[node] = Monoid::combine(tree_[2 * node], tree_[2 * node + 1]); }
};

}  // namespace polya
