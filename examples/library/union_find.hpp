// Sets that are united and never parted (UnionFind), or parted again in reverse order (RollbackUnionFind).
//
// One array: a negative entry is a root and the size of its set, any other is a parent. The first kind halves the ways
// it walks and answers in constant time for all that matters; the second must keep them as they are and takes log n,
// but can go back to any earlier moment: what a search needs that tries a change and takes it back.
#pragma once
#include <cassert>
#include <cstddef>
#include <utility>
#include <vector>

namespace polya {

class UnionFind {
public:
    explicit UnionFind(int size) : sets_(size), links_(std::size_t(size), -1) {}

    int root(int element) {
        while (links_[at(element)] >= 0) {
            const int parent = links_[at(element)];
            const int above = links_[at(parent)];
            if (above < 0) return parent;
            element = links_[at(element)] = above;
        }
        return element;
    }

    // False where they were together already.
    bool unite(int a, int b) {
        a = root(a), b = root(b);
        if (a == b) return false;
        if (links_[at(a)] > links_[at(b)]) std::swap(a, b);
        links_[at(a)] += links_[at(b)];
        links_[at(b)] = a;
        --sets_;
        return true;
    }

    bool are_together(int a, int b) { return root(a) == root(b); }
    int size_of(int element) { return -links_[at(root(element))]; }
    int elements() const { return int(links_.size()); }
    int sets() const { return sets_; }

    // All sets with their elements in rising order, ordered by their smallest.
    std::vector<std::vector<int>> groups() {
        std::vector<int> number(links_.size(), -1);
        std::vector<std::vector<int>> result;
        for (int element = 0; element < elements(); ++element) {
            int& group = number[at(root(element))];
            if (group < 0) {
                group = int(result.size());
                result.emplace_back();
            }
            result[at(group)].push_back(element);
        }
        return result;
    }

    void reset() {
        links_.assign(links_.size(), -1);
        sets_ = elements();
    }

private:
    int sets_;
    std::vector<int> links_;

    static std::size_t at(int index) { return std::size_t(index); }
};

class RollbackUnionFind {
public:
    explicit RollbackUnionFind(int size) : sets_(size), links_(std::size_t(size), -1) {}

    int root(int element) const {
        while (links_[at(element)] >= 0) element = links_[at(element)];
        return element;
    }

    bool unite(int a, int b) {
        a = root(a), b = root(b);
        if (a == b) return false;
        if (links_[at(a)] > links_[at(b)]) std::swap(a, b);
        history_.push_back({b, links_[at(b)]});
        links_[at(a)] += links_[at(b)];
        links_[at(b)] = a;
        --sets_;
        return true;
    }

    bool are_together(int a, int b) const { return root(a) == root(b); }
    int size_of(int element) const { return -links_[at(root(element))]; }
    int elements() const { return int(links_.size()); }
    int sets() const { return sets_; }

    // A moment to which rollback() returns. Only what changed something counts.
    std::size_t moment() const { return history_.size(); }
    void rollback(std::size_t moment) {
        assert(moment <= history_.size());
        while (history_.size() > moment) {
            const auto [child, link] = history_.back();
            history_.pop_back();
            links_[at(links_[at(child)])] -= link;
            links_[at(child)] = link;
            ++sets_;
        }
    }

private:
    struct Change {
        int child, link;
    };

    int sets_;
    std::vector<int> links_;
    std::vector<Change> history_;

    static std::size_t at(int index) { return std::size_t(index); }
};

}  // namespace polya
