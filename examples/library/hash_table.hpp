// A set and a table by 64-bit hashes (those of zobrist_hashing.hpp, or any numbers): to recognise states that were there
// already, or to keep the best of equal ones.
//
// Open addressing in one array, at most half full. Emptied in one step, whatever it holds, so that a beam search can do
// it each turn. Single entries cannot be taken out.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace polya {

// A value for each hash.
template <class Value>
class HashTable {
public:
    explicit HashTable(std::size_t expected = 16) { allocate(std::bit_ceil(expected * 2 < 16 ? 16 : expected * 2)); }

    std::size_t size() const { return size_; }

    // The value of a hash, and whether it was just put in. Valid up to the next one that is put in.
    std::pair<Value&, bool> insert(std::uint64_t hash, const Value& value) {
        if (2 * (size_ + 1) > slots_.size()) grow();
        Slot& slot = slots_[place_of(hash)];
        if (slot.round == round_) return {slot.value, false};
        slot = {hash, round_, value};
        ++size_;
        return {slot.value, true};
    }

    Value* find(std::uint64_t hash) {
        Slot& slot = slots_[place_of(hash)];
        return slot.round == round_ ? &slot.value : nullptr;
    }
    const Value* find(std::uint64_t hash) const { return const_cast<HashTable*>(this)->find(hash); }
    bool contains(std::uint64_t hash) const { return find(hash) != nullptr; }

    void clear() {
        size_ = 0;
        if (++round_ != 0) return;
        for (Slot& slot : slots_) slot.round = 0;
        round_ = 1;
    }

private:
    struct Slot {
        std::uint64_t hash = 0;
        // In use only where it is the present one.
        std::uint32_t round = 0;
        [[no_unique_address]] Value value{};
    };

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
    std::uint32_t round_ = 1;
    int shift_ = 0;

    void allocate(std::size_t slots) {
        slots_.assign(slots, Slot{});
        shift_ = 64 - std::countr_zero(slots);
    }

    // Where it is, or where it would be put. Multiplied, so that keys which are no hashes spread, too.
    std::size_t place_of(std::uint64_t hash) const {
        std::size_t place = std::size_t((hash * 0x9e3779b97f4a7c15ULL) >> shift_);
        while (slots_[place].round == round_ && slots_[place].hash != hash) place = (place + 1) & (slots_.size() - 1);
        return place;
    }

    void grow() {
        std::vector<Slot> old(std::move(slots_));
        allocate(old.size() * 2);
        for (Slot& slot : old)
            if (slot.round == round_) slots_[place_of(slot.hash)] = std::move(slot);
    }
};

class HashSet {
public:
    explicit HashSet(std::size_t expected = 16) : table_(expected) {}
    std::size_t size() const { return table_.size(); }
    // False where it was there already.
    bool insert(std::uint64_t hash) { return table_.insert(hash, Nothing{}).second; }
    bool contains(std::uint64_t hash) const { return table_.contains(hash); }
    void clear() { table_.clear(); }

private:
    struct Nothing {};
    HashTable<Nothing> table_;
};

}  // namespace polya
