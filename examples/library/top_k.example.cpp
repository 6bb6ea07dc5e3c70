// The two best of a stream of candidates, of which the hopeless are not even made.
#include "top_k.hpp"

#include <cstdio>

struct Candidate {
    int score = 0;
    char name = '?';
    friend bool operator>(const Candidate& a, const Candidate& b) { return a.score > b.score; }
};

int main() {
    polya::TopK<Candidate> best(2);
    int made = 0;
    const int scores[] = {5, 1, 9, 7, 3, 8, 2};
    for (int each = 0; each < 7; ++each) {
        if (!best.would_take({scores[each]})) continue;
        ++made;
        best.push({scores[each], char('a' + each)});
    }
    for (const Candidate& candidate : best.sorted()) std::printf("%c: %d\n", candidate.name, candidate.score);
    std::printf("made: %d of 7\n", made);
}
// prints: c: 9
// prints: f: 8
// prints: made: 5 of 7
