// Coordinates on a grid of cells: directions, distances, a flat array with two indices, sums of rectangles.
//
// Directions go clockwise from north (up), so that turning is an addition and turning back an exclusive or. A cell's index is
// row * width + column everywhere in this library: what has an index can be kept in flat arrays, which are a good deal
// faster than vectors of vectors.
#pragma once
#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace polya {

struct Cell {
    int row = 0, column = 0;

    friend constexpr auto operator<=>(const Cell&, const Cell&) = default;
    friend constexpr Cell operator+(Cell a, Cell b) { return {a.row + b.row, a.column + b.column}; }
    friend constexpr Cell operator-(Cell a, Cell b) { return {a.row - b.row, a.column - b.column}; }
};

enum Direction : int { north, east, south, west };

inline constexpr std::array<Cell, 4> grid_steps{{{-1, 0}, {0, 1}, {1, 0}, {0, -1}}};
inline constexpr std::array<Cell, 8> grid_steps_with_diagonals{
    {{-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}}};
// What most contests want printed for each direction.
inline constexpr std::string_view direction_letters = "URDL";

constexpr int opposite_of(int direction) { return direction ^ 2; }
constexpr int right_of(int direction) { return (direction + 1) & 3; }
constexpr int left_of(int direction) { return (direction + 3) & 3; }

// The direction of a letter, -1 where it is none.
constexpr int direction_of(char letter) {
    const std::size_t at = direction_letters.find(letter);
    return at == std::string_view::npos ? -1 : int(at);
}

constexpr int manhattan(Cell a, Cell b) {
    const Cell way = a - b;
    return (way.row < 0 ? -way.row : way.row) + (way.column < 0 ? -way.column : way.column);
}

// What a king needs.
constexpr int chebyshev(Cell a, Cell b) {
    const int rows = a.row < b.row ? b.row - a.row : a.row - b.row;
    const int columns = a.column < b.column ? b.column - a.column : a.column - b.column;
    return rows < columns ? columns : rows;
}

// The direction of the step between two neighbours, -1 where they are none.
constexpr int direction_between(Cell from, Cell to) {
    for (int direction = 0; direction < 4; ++direction)
        if (from + grid_steps[direction] == to) return direction;
    return -1;
}

// How large a grid is, and the two ways to name its cells.
struct GridShape {
    int height = 0, width = 0;

    constexpr int size() const { return height * width; }
    constexpr int index(Cell cell) const { return cell.row * width + cell.column; }
    constexpr Cell cell(int index) const { return {index / width, index % width}; }
    // One comparison a side: what is negative is huge when it is unsigned.
    constexpr bool contains(Cell cell) const {
        return unsigned(cell.row) < unsigned(height) &&
               unsigned(cell.column) < unsigned(width);
    }
    // visit(neighbour, direction) for each of the up to four neighbours.
    template <class Visit>
    constexpr void for_each_neighbour(Cell cell, Visit&& visit) const {
        for (int direction = 0; direction < 4; ++direction)
            if (const Cell next = cell + grid_steps[direction]; contains(next)) visit(next, direction);
    }

    friend constexpr bool operator==(const GridShape&, const GridShape&) = default;
};

// A flat array with two indices. Copying one is copying one block of memory.
template <class Value>
class Grid {
public:
    Grid() = default;
    Grid(int height, int width, const Value& value = Value{})
        : shape_{height, width}, values_(std::size_t(height) * std::size_t(width), value) {}

    const GridShape& shape() const { return shape_; }
    int height() const { return shape_.height; }
    int width() const { return shape_.width; }
    bool contains(Cell cell) const { return shape_.contains(cell); }

    decltype(auto) operator[](Cell cell) { return values_[std::size_t(shape_.index(cell))]; }
    decltype(auto) operator[](Cell cell) const { return values_[std::size_t(shape_.index(cell))]; }
    decltype(auto) operator[](int index) { return values_[std::size_t(index)]; }
    decltype(auto) operator[](int index) const { return values_[std::size_t(index)]; }

    auto begin() { return values_.begin(); }
    auto end() { return values_.end(); }
    auto begin() const { return values_.begin(); }
    auto end() const { return values_.end(); }

    // A quarter turn clockwise: the left column becomes the top row.
    Grid turned() const {
        Grid result(width(), height());
        for (int row = 0; row < height(); ++row)
            for (int column = 0; column < width(); ++column)
                result[Cell{column, height() - 1 - row}] = (*this)[Cell{row, column}];
        return result;
    }

    friend bool operator==(const Grid&, const Grid&) = default;

private:
    GridShape shape_;
    std::vector<Value> values_;
};

// Sums of rectangles in four reads, whatever their size. The grid must not change in between.
template <class Sum>
class RectangleSums {
public:
    template <class Value>
    explicit RectangleSums(const Grid<Value>& grid) : sums_(grid.height() + 1, grid.width() + 1) {
        for (int row = 0; row < grid.height(); ++row) {
            Sum line{};
            for (int column = 0; column < grid.width(); ++column) {
                line += Sum(grid[Cell{row, column}]);
                sums_[Cell{row + 1, column + 1}] = sums_[Cell{row, column + 1}] + line;
            }
        }
    }

    // From `first` on to before `last`, in both coordinates.
    Sum sum(Cell first, Cell last) const {
        assert(0 <= first.row && first.row <= last.row && last.row < sums_.height());
        assert(0 <= first.column && first.column <= last.column && last.column < sums_.width());
        return sums_[last] - sums_[Cell{first.row, last.column}] - sums_[Cell{last.row, first.column}] + sums_[first];
    }

private:
    Grid<Sum> sums_;
};

}  // namespace polya
