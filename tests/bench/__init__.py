"""The measured times of the product: `make bench`, or `python -m tests.bench`.

bench_*.py     a benchmark each: its first sentence is its rule; measure(place) gives Figures
figure.py      what was measured, its limit and its yardstick; the table
files.py       session files, made anew for each run, the same ones every time
program.py     the program started as a person starts it, with a stopwatch
window.py      the window in this process, and hands for it
"""
