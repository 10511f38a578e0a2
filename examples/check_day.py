# Check every card of a LACORSA race of the day without Paddock: python check_day.py DAY.json RACE.txt
import hashlib
import hmac
import json
import re
import sys
from decimal import Context, Decimal
from pathlib import Path

day, record = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2]).read_text("utf-8")
assert hashlib.sha256(bytes.fromhex(day["secret"])).hexdigest() == day["commitment"]
said, exact = f"paddock daily 1 {day['day']} lacorsa", Context(prec=30)
key = hmac.digest(bytes.fromhex(day["secret"]), said.encode(), "sha256")
left = [4] * 13  # cards in the deck: number 0 is R, 1 to 12 are the ranks
for hand, cards in re.findall(r"^deal (\d+): (.+)$", record, re.MULTILINE):
    for nth, card in enumerate(cards.split(), 1):
        times = {}
        for number in [number for number in range(13) if left[number]]:
            bits = hmac.digest(key, f"1 deal {hand} {nth} {number}".encode(), "sha256")[:8]
            u = exact.divide(Decimal(2 * int.from_bytes(bits, "big") + 1), Decimal(2**65))
            times[number] = exact.divide(-exact.ln(u), Decimal(left[number]))
        won = min(times, key=times.__getitem__)
        assert card == str(won or "R"), f"hand {hand}, card {nth}: {card}, and not {won}"
        left[won] -= 1
print(f"{52 - sum(left)} cards follow from the secret")
