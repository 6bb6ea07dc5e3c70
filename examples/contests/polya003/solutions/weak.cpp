// Walks to where it is louder, one neighbour after the other, and digs where it hears a spring beside it.
#include <bits/stdc++.h>
using namespace std;

int n, m, spent = 0;

int ask(char what, int i, int j) {
    int answer;
    cout << what << ' ' << i << ' ' << j << endl;
    cin >> answer;
    spent += what == '?' ? 10 : 60;
    return answer;
}

int main() {
    cin >> n >> m;
    mt19937 random(7);
    set<pair<int, int>> dug;
    const int di[] = {0, 0, 1, 0, -1}, dj[] = {0, 1, 0, -1, 0};
    for (int found = 0; found < m && spent < 1000 * m;) {
        int i = random() % n, j = random() % n, here = ask('?', i, j);
        for (int steps = 0; here > 0 && steps < 2 * n; steps++) {
            int d = 1 + random() % 4, a = i + di[d], b = j + dj[d];
            if (a < 0 || b < 0 || a >= n || b >= n) continue;
            int there = ask('?', a, b);
            if (there <= here) i = a, j = b, here = there;
        }
        for (int d = 0; d < 5 && here == 0; d++) {
            int a = i + di[d], b = j + dj[d];
            if (a < 0 || b < 0 || a >= n || b >= n || !dug.insert({a, b}).second) continue;
            if (ask('#', a, b)) {
                found++;
                break;
            }
        }
    }
    cout << '!' << endl;
}
