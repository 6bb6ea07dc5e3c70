// Shortest ways on a grid with walls, in steps: from one cell or several, to one cell or all, thousands of times a
// second.
//
// Each cell keeps a mask of the directions that are open from it, so that a search asks neither for the border nor for
// walls, be they whole cells or sides between cells. Nothing is cleared between two searches: the numbers of the next
// begin where those of the last one ended, and what is smaller is old. For moves with other costs than zero and one use
// dijkstra.hpp.
#pragma once
#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "grid.hpp"

namespace polya {

class GridBfs {
public:
    GridBfs(int height, int width)
        : shape_{height, width},
          inside_(cells(), 0),
          closed_(cells(), 0),
          open_(cells(), 0),
          wall_(cells(), 0),
          came_by_(cells(), none),
          mark_(cells(), 0),
          queue_(cells()) {
        for (int cell = 0; cell < shape_.size(); ++cell)
            shape_.for_each_neighbour(shape_.cell(cell), [&](Cell, int direction) {
                inside_[at(cell)] |= std::uint8_t(1 << direction);
            });
        open_ = inside_;
        const int offsets[4] = {-width, 1, width, -1};
        std::copy(offsets, offsets + 4, offset_);
    }

    const GridShape& shape() const { return shape_; }
    int index(int row, int column) const { return shape_.index({row, column}); }

    // A cell that nobody enters. A search may start on one and leads nowhere.
    void set_wall(int cell, bool is_wall = true) {
        wall_[at(cell)] = is_wall;
        renew(cell);
        for (int direction = 0; direction < 4; ++direction)
            if (inside_[at(cell)] >> direction & 1) renew(cell + offset_[direction]);
    }
    // A wall between a cell and its neighbour, for both of them.
    void set_side(int cell, int direction, bool is_closed = true) {
        close(cell, direction, is_closed);
        if (!(inside_[at(cell)] >> direction & 1)) return;
        close(cell + offset_[direction], opposite_of(direction), is_closed);
    }
    bool is_wall(int cell) const { return wall_[at(cell)]; }
    bool is_open(int cell, int direction) const { return open_[at(cell)] >> direction & 1; }

    // Breadth first. With a target it ends as soon as that is reached; then only what is nearer is known for certain.
    // What is more than `most_steps` away is not looked at.
    void run(int source, int target = -1, int most_steps = unlimited) {
        run(std::span<const int>(&source, 1), target, most_steps);
    }
    void run(std::span<const int> sources, int target = -1, int most_steps = unlimited) {
        begin();
        const std::uint32_t last = base_ + std::uint32_t(std::min(most_steps, shape_.size()));
        std::size_t& tail = reached_;
        for (const int source : sources)
            if (discover(source, base_, none)) queue_[tail++] = source;
        if (target >= 0 && is_reached(target)) return;
        for (std::size_t head = 0; head < tail; ++head) {
            const int cell = queue_[head];
            const std::uint32_t steps = mark_[at(cell)] + 1;
            if (steps > last) return;
            for (unsigned rest = open_[at(cell)]; rest != 0; rest &= rest - 1) {
                const int direction = std::countr_zero(rest);
                const int next = cell + offset_[direction];
                if (!discover(next, steps, std::uint8_t(direction))) continue;
                queue_[tail++] = next;
                if (next == target) return;
            }
        }
    }

    // Moves that cost nothing or one: cost(from, to, is_open) gives 0, 1, or a negative number where there is no way.
    // Walls are no obstacle of themselves here: the cost decides, so that breaking one can cost one.
    template <class MoveCost>
    void run_zero_one(std::span<const int> sources, MoveCost&& cost, int target = -1) {
        begin();
        now_.clear();
        later_.clear();
        for (const int source : sources)
            if (discover(source, base_, none)) now_.push_back(source);
        for (std::uint32_t distance = base_; !now_.empty(); ++distance, now_.swap(later_), later_.clear())
            for (std::size_t head = 0; head < now_.size(); ++head) {
                const int cell = now_[head];
                // It was reached for less after it had been put off.
                if (mark_[at(cell)] != distance) continue;
                queue_[reached_++] = cell;
                if (cell == target) return;
                for (unsigned rest = inside_[at(cell)]; rest != 0; rest &= rest - 1) {
                    const int direction = std::countr_zero(rest);
                    const int next = cell + offset_[direction];
                    const int more = cost(cell, next, is_open(cell, direction));
                    if (more < 0) continue;
                    assert(more <= 1);
                    if (!improve(next, distance + std::uint32_t(more), std::uint8_t(direction)))
                        continue;
                    (more == 0 ? now_ : later_).push_back(next);
                }
            }
    }

    bool is_reached(int cell) const { return mark_[at(cell)] >= base_; }
    // What the last search reached, the nearest first.
    std::span<const int> reached() const { return {queue_.data(), reached_}; }
    // -1 where the last search did not come.
    int distance(int cell) const { return is_reached(cell) ? int(mark_[at(cell)] - base_) : -1; }

    // The directions of a shortest way of the last search, from its source; empty for a source itself.
    std::vector<int> directions_to(int target) const {
        assert(is_reached(target));
        std::vector<int> way;
        for (int cell = target; came_by_[at(cell)] != none; cell -= offset_[way.back()]) way.push_back(came_by_[at(cell)]);
        std::reverse(way.begin(), way.end());
        return way;
    }
    // The cells of that way, source and target among them.
    std::vector<int> path_to(int target) const {
        std::vector<int> way{target};
        const std::vector<int> directions = directions_to(target);
        for (std::size_t step = directions.size(); step-- > 0;) way.push_back(way.back() - offset_[directions[step]]);
        std::reverse(way.begin(), way.end());
        return way;
    }
    // That way as letters: "URDL", or what the contest calls up, right, down and left.
    std::string moves_to(int target, std::string_view letters = direction_letters) const {
        std::string moves;
        for (const int direction : directions_to(target)) moves += letters[std::size_t(direction)];
        return moves;
    }

private:
    static constexpr std::uint8_t none = 4;
    static constexpr int unlimited = std::numeric_limits<int>::max();

    GridShape shape_;
    int offset_[4]{};
    // Masks of directions: inside the grid, closed by a side, and open after all.
    std::vector<std::uint8_t> inside_, closed_, open_;
    std::vector<std::uint8_t> wall_, came_by_;
    // Distance + base_; what is below base_ belongs to an earlier search.
    std::vector<std::uint32_t> mark_;
    std::uint32_t base_ = 1;
    std::vector<int> queue_, now_, later_;
    std::size_t reached_ = 0;

    static std::size_t at(int cell) { return std::size_t(cell); }
    std::size_t cells() const { return at(shape_.size()); }

    void close(int cell, int direction, bool is_closed) {
        const unsigned bit = 1u << direction;
        closed_[at(cell)] = std::uint8_t(is_closed ? closed_[at(cell)] | bit : closed_[at(cell)] & ~bit);
        renew(cell);
    }

    void renew(int cell) {
        unsigned mask = 0;
        if (!wall_[at(cell)])
            for (int direction = 0; direction < 4; ++direction)
                if ((inside_[at(cell)] & ~closed_[at(cell)]) >> direction & 1)
                    if (!wall_[at(cell + offset_[direction])]) mask |= 1u << direction;
        open_[at(cell)] = std::uint8_t(mask);
    }

    void begin() {
        reached_ = 0;
        // No distance is as large as the number of cells.
        const std::uint32_t room = std::uint32_t(shape_.size()) + 1;
        if (base_ > std::numeric_limits<std::uint32_t>::max() - 2 * room) {
            std::fill(mark_.begin(), mark_.end(), 0);
            base_ = 1;
        } else {
            base_ += room;
        }
    }

    bool discover(int cell, std::uint32_t mark, std::uint8_t direction) {
        if (mark_[at(cell)] >= base_) return false;
        mark_[at(cell)] = mark;
        came_by_[at(cell)] = direction;
        return true;
    }

    bool improve(int cell, std::uint32_t mark, std::uint8_t direction) {
        if (mark_[at(cell)] >= base_ && mark_[at(cell)] <= mark) return false;
        mark_[at(cell)] = mark;
        came_by_[at(cell)] = direction;
        return true;
    }
};

}  // namespace polya
