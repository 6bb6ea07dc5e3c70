import java.math.BigInteger

data class Point(val row: Int, val column: Int) {
    operator fun plus(other: Point) = Point(row + other.row, column + other.column)
}

enum class Direction(val step: Point) {
    UP(Point(-1, 0)), RIGHT(Point(0, 1)), DOWN(Point(1, 0)), LEFT(Point(0, -1));
    val next get() = entries[(ordinal + 1) % entries.size]
}

sealed interface Cell { data object Wall : Cell; data class Floor(val cost: Int) : Cell }

class Grid(lines: List<String>) {
    private val cells = lines.flatMapIndexed { row, line ->
        line.mapIndexed { column, sign -> Point(row, column) to cellOf(sign) }
    }.toMap()

    private fun cellOf(sign: Char): Cell = when (sign) {
        '#' -> Cell.Wall
        in '0'..'9' -> Cell.Floor(sign.digitToInt())
        else -> Cell.Floor(1)
    }

    fun distances(start: Point): Map<Point, Int> {
        val found = mutableMapOf(start to 0)
        val queue = java.util.PriorityQueue<Pair<Int, Point>>(compareBy { it.first })
        queue.add(0 to start)
        while (queue.isNotEmpty()) {
            val (distance, here) = queue.poll()
            for (direction in Direction.entries) {
                val there = here + direction.step
                val cell = cells[there] ?: continue
                if (cell !is Cell.Floor) continue
                val candidate = distance + cell.cost
                if (candidate < (found[there] ?: Int.MAX_VALUE)) {
                    found[there] = candidate
                    queue.add(candidate to there)
                }
            }
        }
        return found
    }
}

fun <T> List<T>.pairs(): Sequence<Pair<T, T>> = sequence {
    for (i in indices) for (j in i + 1 until size) yield(get(i) to get(j))
}

fun main() {
    val lines = generateSequence(::readLine).toList()
    val number = Regex("""-?\d+""")
    val numbers = lines.map { line -> number.findAll(line).map { it.value.toLong() }.toList() }
    val grid = Grid(lines.filter { it.isNotBlank() })
    println("part 1: ${grid.distances(Point(0, 0)).values.maxOrNull() ?: 0}")
    val product = numbers.flatten().fold(BigInteger.ONE) { product, n -> product * n.toBigInteger() }
    println("part 2: $product ${numbers.flatten().pairs().count { (a, b) -> a < b }}")
    println(numbers.groupingBy { it.size }.eachCount().entries.sortedByDescending { it.value }.joinToString { "${it.key}=${it.value}" })
    val text = buildString { repeat(3) { append(it).append(' ') } }
    println(text.trim().split(" ").sumOf { it.toInt() }.let { if (it > 2) "much" else "little" })
    try { error("no") } catch (problem: IllegalStateException) { println(problem.message?.uppercase()) }
}
