// The cheapest assignment of rows to columns, each column at most once: O(n² m) for n rows and m >= n columns (or the
// other way round).
//
// First each row takes its cheapest column where that is free, then rows outbid one another (Jonker and Volgenant),
// which settles most of them; the rest are settled by shortest augmenting paths. Integers give exact results.
#pragma once
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace polya {

template <class Cost>
struct Assignment {
    Cost cost{};
    // -1 for those that were left over, which only the longer side has.
    std::vector<int> column_of_row, row_of_column;
};

// Keeps its memory for the next one of about the same size.
template <class Cost>
class Hungarian {
public:
    // `costs` row by row. For the dearest assignment negate them.
    Assignment<Cost> solve(int rows, int columns, const std::vector<Cost>& costs) {
        assert(rows >= 0 && columns >= 0 && costs.size() == at(rows) * at(columns));
        const bool is_turned = rows > columns;
        if (is_turned) turn(rows, columns, costs);
        else costs_ = costs;
        rows_ = std::min(rows, columns), columns_ = std::max(rows, columns);
        assign();
        Assignment<Cost> result;
        for (int row = 0; row < rows_; ++row) result.cost += cost(row, column_of_[at(row)]);
        result.column_of_row = column_of_, result.row_of_column = row_of_;
        if (is_turned) std::swap(result.column_of_row, result.row_of_column);
        return result;
    }

private:
    int rows_ = 0, columns_ = 0;
    std::vector<Cost> costs_;
    // What a column gives back to its row: never positive, and zero as long as nobody has it.
    std::vector<Cost> price_, distance_;
    std::vector<int> column_of_, row_of_, came_from_, order_, free_, next_free_;

    static std::size_t at(int index) { return std::size_t(index); }
    const Cost* line(int row) const { return costs_.data() + at(row) * at(columns_); }
    Cost cost(int row, int column) const { return line(row)[column]; }

    void turn(int rows, int columns, const std::vector<Cost>& costs) {
        costs_.resize(costs.size());
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column)
                costs_[at(column) * at(rows) + at(row)] = costs[at(row) * at(columns) + at(column)];
    }

    void assign() {
        price_.assign(at(columns_), Cost{});
        column_of_.assign(at(rows_), -1);
        row_of_.assign(at(columns_), -1);
        free_.resize(at(rows_));
        std::iota(free_.begin(), free_.end(), 0);
        // Twice is what pays; the paths below take whatever is left.
        for (int pass = 0; pass < 2 && columns_ > 1; ++pass) bid();
        distance_.resize(at(columns_)), came_from_.resize(at(columns_)), order_.resize(at(columns_));
        for (const int row : free_) augment(row);
    }

    // Each free row takes its cheapest column and pays as much as that is better than its second. Who is thrown out
    // bids at once where the price rose, and else in the next pass.
    void bid() {
        next_free_.clear();
        // With floating point a price may rise by next to nothing again and again.
        std::size_t patience = 4 * free_.size() + 16;
        while (!free_.empty()) {
            int row = free_.back();
            free_.pop_back();
            while (row >= 0) {
                const auto [best, second, gain] = two_cheapest(row);
                const bool is_tied = !(Cost{} < gain);
                const int column = is_tied && row_of_[at(best)] >= 0 ? second : best;
                const int thrown_out = row_of_[at(column)];
                price_[at(column)] -= gain;
                row_of_[at(column)] = row, column_of_[at(row)] = column;
                if (thrown_out >= 0) column_of_[at(thrown_out)] = -1;
                row = thrown_out;
                if (row >= 0 && (is_tied || patience == 0)) next_free_.push_back(std::exchange(row, -1));
                else if (patience > 0) --patience;
            }
        }
        std::swap(free_, next_free_);
    }

    struct TwoCheapest {
        int best, second;
        Cost gain;
    };
    TwoCheapest two_cheapest(int row) const {
        const Cost* const costs = line(row);
        TwoCheapest result{0, 1, Cost{}};
        Cost least = costs[0] - price_[0], next = costs[1] - price_[1];
        if (next < least) std::swap(least, next), std::swap(result.best, result.second);
        for (int column = 2; column < columns_; ++column) {
            const Cost offer = costs[column] - price_[at(column)];
            if (!(offer < next)) continue;
            if (offer < least) next = least, result.second = result.best, least = offer, result.best = column;
            else next = offer, result.second = column;
        }
        result.gain = next - least;
        return result;
    }

    // The shortest way from a free row to a free column. order_ holds the columns: first those whose distance is final,
    // from `done` on those that are as near as can be, from `open` on the rest.
    void augment(int start) {
        const Cost* costs = line(start);
        for (int column = 0; column < columns_; ++column) {
            order_[at(column)] = column, came_from_[at(column)] = start;
            distance_[at(column)] = costs[column] - price_[at(column)];
        }
        int done = 0, open = 0, last = -1;
        Cost nearest{};
        while (last < 0) {
            if (done == open) {
                nearest = gather_nearest(open);
                for (int each = done; each < open && last < 0; ++each)
                    if (row_of_[at(order_[at(each)])] < 0) last = order_[at(each)];
                if (last >= 0) break;
            }
            const int column = order_[at(done++)];
            last = look_from(row_of_[at(column)], column, nearest, open);
        }
        for (int each = 0; each < done; ++each) {
            const std::size_t column = at(order_[at(each)]);
            if (distance_[column] < nearest) price_[column] += distance_[column] - nearest;
        }
        for (int row = -1; row != start;) {
            row = came_from_[at(last)];
            row_of_[at(last)] = row;
            std::swap(column_of_[at(row)], last);
        }
    }

    // Moves all columns of the least distance to the front of the open ones.
    Cost gather_nearest(int& open) {
        const int from = open;
        Cost nearest = distance_[at(order_[at(open++)])];
        for (int each = open; each < columns_; ++each) {
            const Cost distance = distance_[at(order_[at(each)])];
            if (nearest < distance) continue;
            if (distance < nearest) nearest = distance, open = from;
            std::swap(order_[at(each)], order_[at(open++)]);
        }
        return nearest;
    }

    // Shortens the distances of the open columns by going through `row`; a free column that is as near as can be ends
    // the search.
    int look_from(int row, int through, Cost nearest, int& open) {
        const Cost* const costs = line(row);
        const Cost offset = costs[through] - price_[at(through)] - nearest;
        for (int each = open; each < columns_; ++each) {
            const int column = order_[at(each)];
            const Cost distance = costs[column] - price_[at(column)] - offset;
            if (!(distance < distance_[at(column)])) continue;
            distance_[at(column)] = distance, came_from_[at(column)] = row;
            if (nearest < distance) continue;
            if (row_of_[at(column)] < 0) return column;
            std::swap(order_[at(each)], order_[at(open++)]);
        }
        return -1;
    }
};

template <class Cost>
Assignment<Cost> cheapest_assignment(int rows, int columns, const std::vector<Cost>& costs) {
    return Hungarian<Cost>{}.solve(rows, columns, costs);
}

}  // namespace polya
