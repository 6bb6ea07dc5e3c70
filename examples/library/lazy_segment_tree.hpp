// Combined values of ranges of an array whose ranges are changed as a whole, both in log n steps.
//
// What it does is a Rule: `Value`, `identity()`, `combine(a, b)`; `Action`, `nothing()`, `compose(later, earlier)` as
// one action, and `apply(action, value, length)` for a combined value of `length` elements. Actions compare with ==, so
// that nothing to do is not done. Ready: rule::AddMinimum, AddMaximum, AddSum, AssignSum.
#pragma once
#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace polya {

namespace rule {

// Add to a range; the smallest of a range. The identity is half the largest number, so that adding to it is no overflow.
template <class Number>
struct AddMinimum {
    using Value = Number;
    using Action = Number;
    static constexpr Value identity() { return std::numeric_limits<Number>::max() / 2; }
    static constexpr Value combine(Value a, Value b) { return b < a ? b : a; }
    static constexpr Action nothing() { return Action{}; }
    static constexpr Action compose(Action later, Action earlier) { return later + earlier; }
    static constexpr Value apply(Action action, Value value, int) { return value + action; }
};

template <class Number>
struct AddMaximum : AddMinimum<Number> {
    static constexpr Number identity() { return std::numeric_limits<Number>::lowest() / 2; }
    static constexpr Number combine(Number a, Number b) { return a < b ? b : a; }
};

template <class Number>
struct AddSum {
    using Value = Number;
    using Action = Number;
    static constexpr Value identity() { return Value{}; }
    static constexpr Value combine(Value a, Value b) { return a + b; }
    static constexpr Action nothing() { return Action{}; }
    static constexpr Action compose(Action later, Action earlier) { return later + earlier; }
    static constexpr Value apply(Action action, Value value, int length) {
        return value + action * Number(length);
    }
};

template <class Number>
struct AssignSum {
    using Value = Number;
    using Action = std::optional<Number>;
    static constexpr Value identity() { return Value{}; }
    static constexpr Value combine(Value a, Value b) { return a + b; }
    static constexpr Action nothing() { return std::nullopt; }
    static constexpr Action compose(Action later, Action earlier) { return later ? later : earlier; }
    static constexpr Value apply(Action action, Value value, int length) {
        return action ? *action * Number(length) : value;
    }
};

}  // namespace rule

template <class Rule>
class LazySegmentTree {
public:
    using Value = typename Rule::Value;
    using Action = typename Rule::Action;

    explicit LazySegmentTree(const std::vector<Value>& values)
        : size_(int(values.size())),
          leaves_(std::bit_ceil(values.size() + (values.empty() ? 1 : 0))),
          levels_(std::countr_zero(leaves_)),
          tree_(2 * leaves_, Rule::identity()),
          // The leaves hand nothing on.
          pending_(leaves_, Rule::nothing()) {
        std::copy(values.begin(), values.end(), tree_.begin() + std::ptrdiff_t(leaves_));
        for (std::size_t node = leaves_; --node > 0;) renew(node);
    }

    explicit LazySegmentTree(int size, const Value& value = Rule::identity())
        : LazySegmentTree(std::vector<Value>(std::size_t(size), value)) {}

    int size() const { return size_; }

    void set(int index, const Value& value) {
        const std::size_t node = leaf(index);
        hand_down_to(node, 0);
        tree_[node] = value;
        for (int level = 1; level <= levels_; ++level) renew(node >> level);
    }

    Value get(int index) {
        const std::size_t node = leaf(index);
        hand_down_to(node, 0);
        return tree_[node];
    }

    // From `first` on to before `last`.
    void apply(int first, int last, const Action& action) {
        assert(0 <= first && first <= last && last <= size_);
        if (first == last) return;
        const std::size_t begin = leaves_ + std::size_t(first);
        const std::size_t end = leaves_ + std::size_t(last);
        hand_down_to_ends(begin, end);
        int length = 1;
        for (std::size_t low = begin, high = end; low < high; low >>= 1, high >>= 1, length *= 2) {
            if (low & 1) act_on(low++, action, length);
            if (high & 1) act_on(--high, action, length);
        }
        for (int level = 1; level <= levels_; ++level) {
            if (begin >> level << level != begin) renew(begin >> level);
            if (end >> level << level != end) renew((end - 1) >> level);
        }
    }

    Value fold(int first, int last) {
        assert(0 <= first && first <= last && last <= size_);
        Value before = Rule::identity(), after = Rule::identity();
        if (first == last) return before;
        std::size_t low = leaves_ + std::size_t(first), high = leaves_ + std::size_t(last);
        hand_down_to_ends(low, high);
        for (; low < high; low >>= 1, high >>= 1) {
            if (low & 1) before = Rule::combine(before, tree_[low++]);
            if (high & 1) after = Rule::combine(tree_[--high], after);
        }
        return Rule::combine(before, after);
    }

    const Value& fold_all() const { return tree_[1]; }

    // The largest `last` for which holds(fold(first, last)); once it fails it must fail for all that is longer.
    template <class Predicate>
    int last_that(int first, Predicate&& holds) {
        assert(0 <= first && first <= size_ && holds(Rule::identity()));
        if (first == size_) return size_;
        std::size_t node = leaves_ + std::size_t(first);
        hand_down_to(node, 0);
        Value before = Rule::identity();
        do {
            node >>= std::countr_zero(node);
            if (!holds(Rule::combine(before, tree_[node]))) {
                while (node < leaves_) {
                    hand_down(node);
                    node *= 2;
                    if (Value longer = Rule::combine(before, tree_[node]); holds(longer)) before = longer, ++node;
                }
                return int(node - leaves_);
            }
            before = Rule::combine(before, tree_[node++]);
        } while (!std::has_single_bit(node));
        return size_;
    }

private:
    int size_;
    std::size_t leaves_;
    int levels_;
    // tree_[i] has seen all actions on its range, pending_[i] are those that its children have not.
    std::vector<Value> tree_;
    std::vector<Action> pending_;

    std::size_t leaf(int index) const {
        assert(0 <= index && index < size_);
        return leaves_ + std::size_t(index);
    }

    void renew(std::size_t node) { tree_[node] = Rule::combine(tree_[2 * node], tree_[2 * node + 1]); }

    void act_on(std::size_t node, const Action& action, int length) {
        tree_[node] = Rule::apply(action, tree_[node], length);
        if (node < leaves_) pending_[node] = Rule::compose(action, pending_[node]);
    }

    void hand_down(std::size_t node) {
        if (pending_[node] == Rule::nothing()) return;
        const int length = int(leaves_ >> std::bit_width(node));
        act_on(2 * node, pending_[node], length);
        act_on(2 * node + 1, pending_[node], length);
        pending_[node] = Rule::nothing();
    }

    // To all that is above `node` and higher than `lowest`.
    void hand_down_to(std::size_t node, int lowest) {
        for (int level = levels_; level > lowest; --level) hand_down(node >> level);
    }

    // What starts or ends with a whole node needs nothing from above that is not shared with its neighbour.
    void hand_down_to_ends(std::size_t begin, std::size_t end) {
        hand_down_to(begin, std::countr_zero(begin));
        hand_down_to(end - 1, std::countr_zero(end));
    }
};

}  // namespace polya
