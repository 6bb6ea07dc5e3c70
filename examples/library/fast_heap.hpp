// Two heaps: DaryHeap (a priority queue with four children a node) and IndexedHeap (keys of 0 .. n-1 that may change). For
// numbers that never come out in falling order radix_heap.hpp is faster.
//
// Four children halve the levels, and the four lie side by side in memory. First comes what `Before(a, b)` puts first:
// with std::less the smallest, not the largest as in std::priority_queue.
#pragma once
#include <cassert>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace polya {

template <class Value, class Before = std::less<Value>, std::size_t children = 4>
class DaryHeap {
public:
    explicit DaryHeap(Before before = Before{}) : before_(std::move(before)) {}

    bool empty() const { return values_.empty(); }
    std::size_t size() const { return values_.size(); }
    void reserve(std::size_t size) { values_.reserve(size); }
    // Keeps its memory.
    void clear() { values_.clear(); }

    const Value& top() const {
        assert(!empty());
        return values_.front();
    }

    void push(Value value) {
        values_.emplace_back();
        rise(values_.size() - 1, std::move(value));
    }

    Value pop() {
        assert(!empty());
        Value first = std::move(values_.front());
        Value last = std::move(values_.back());
        values_.pop_back();
        if (!values_.empty()) sink(std::move(last));
        return first;
    }

    // pop() and push() in one: half the work.
    Value replace_top(Value value) {
        assert(!empty());
        Value first = std::move(values_.front());
        sink(std::move(value));
        return first;
    }

private:
    std::vector<Value> values_;
    [[no_unique_address]] Before before_;

    // The hole goes down to the end, as the last value mostly belongs there, and comes up again where it does not: that
    // saves a comparison a level.
    void sink(Value value) {
        const std::size_t size = values_.size();
        std::size_t hole = 0;
        for (std::size_t first = 1; first < size; first = hole * children + 1) {
            // Of a full family the compiler knows the number.
            const std::size_t best = first + children <= size ? best_of(first, first + children) : best_of(first, size);
            values_[hole] = std::move(values_[best]);
            hole = best;
        }
        rise(hole, std::move(value));
    }

    std::size_t best_of(std::size_t first, std::size_t end) const {
        std::size_t best = first;
        for (std::size_t child = first + 1; child < end; ++child)
            best = before_(values_[child], values_[best]) ? child : best;
        return best;
    }

    void rise(std::size_t hole, Value value) {
        for (; hole > 0; hole = (hole - 1) / children) {
            Value& above = values_[(hole - 1) / children];
            if (!before_(value, above)) break;
            values_[hole] = std::move(above);
        }
        values_[hole] = std::move(value);
    }
};

// At most one key for each of 0 .. size-1, which may be changed in either direction and taken out.
template <class Key, class Before = std::less<Key>, std::size_t children = 4>
class IndexedHeap {
public:
    explicit IndexedHeap(int size, Before before = Before{})
        : position_(std::size_t(size), -1), before_(std::move(before)) {}

    bool empty() const { return entries_.empty(); }
    std::size_t size() const { return entries_.size(); }
    bool contains(int id) const { return position_[at(id)] >= 0; }
    int top() const {
        assert(!empty());
        return entries_.front().id;
    }
    const Key& top_key() const {
        assert(!empty());
        return entries_.front().key;
    }
    const Key& key(int id) const {
        assert(contains(id));
        return entries_[at(position_[at(id)])].key;
    }

    // Puts it in, or gives it another key.
    void set(int id, const Key& key) {
        if (!contains(id)) {
            entries_.push_back({key, id});
            rise(entries_.size() - 1, {key, id});
            return;
        }
        const std::size_t place = at(position_[at(id)]);
        if (before_(key, entries_[place].key)) rise(place, {key, id});
        else sink(place, {key, id});
    }

    // Only where the key is better than what it has, or it has none; says whether.
    bool improve(int id, const Key& key) {
        if (contains(id) && !before_(key, this->key(id))) return false;
        set(id, key);
        return true;
    }

    int pop() {
        const int first = top();
        erase(first);
        return first;
    }

    void erase(int id) {
        assert(contains(id));
        const std::size_t place = at(position_[at(id)]);
        position_[at(id)] = -1;
        Entry last = std::move(entries_.back());
        entries_.pop_back();
        if (place == entries_.size()) return;
        if (place > 0 && before_(last.key, entries_[(place - 1) / children].key)) rise(place, std::move(last));
        else sink(place, std::move(last));
    }

    // In as many steps as it holds keys.
    void clear() {
        for (const Entry& entry : entries_) position_[at(entry.id)] = -1;
        entries_.clear();
    }

private:
    struct Entry {
        Key key;
        int id;
    };

    std::vector<Entry> entries_;
    std::vector<int> position_;
    [[no_unique_address]] Before before_;

    static std::size_t at(int index) { return std::size_t(index); }

    void place(std::size_t hole, Entry entry) {
        position_[at(entry.id)] = int(hole);
        entries_[hole] = std::move(entry);
    }

    void rise(std::size_t hole, Entry entry) {
        for (; hole > 0; hole = (hole - 1) / children) {
            Entry& above = entries_[(hole - 1) / children];
            if (!before_(entry.key, above.key)) break;
            place(hole, std::move(above));
        }
        place(hole, std::move(entry));
    }

    void sink(std::size_t hole, Entry entry) {
        const std::size_t size = entries_.size();
        while (true) {
            const std::size_t first = hole * children + 1;
            if (first >= size) break;
            const std::size_t end = first + children < size ? first + children : size;
            std::size_t best = first;
            for (std::size_t child = first + 1; child < end; ++child)
                best = before_(entries_[child].key, entries_[best].key) ? child : best;
            if (!before_(entries_[best].key, entry.key)) break;
            place(hole, std::move(entries_[best]));
            hole = best;
        }
        place(hole, std::move(entry));
    }
};

}  // namespace polya
