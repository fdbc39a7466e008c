"""Writes talib.json: bars and TA-Lib's answers for them. Needs the Python packages TA-Lib and numpy."""
import json, pathlib
import numpy as np
import talib

random = np.random.default_rng(7)
close = np.round(100 + np.cumsum(random.normal(0, 1, 60)), 2)
high = np.round(close + random.uniform(0.1, 1, 60), 2)
low = np.round(close - random.uniform(0.1, 1, 60), 2)
volume = np.round(random.uniform(1, 50, 60), 1)


def column(values):
    return [None if np.isnan(value) else float(value) for value in values]


down, up = talib.AROON(high, low, 14)
answers = {
    "obv": talib.OBV(close, volume),
    "mfi": talib.MFI(high, low, close, volume, 14),
    "aroonUp": up,
    "aroonDown": down,
    "donchianUpper": talib.MAX(high, 20),
    "donchianLower": talib.MIN(low, 20),
    "zScore": (close - talib.SMA(close, 20)) / talib.STDDEV(close, 20, 1),
}
bars = [dict(high=float(h), low=float(l), close=float(c), volume=float(v)) for h, l, c, v in zip(high, low, close, volume)]
text = json.dumps({"bars": bars, **{name: column(values) for name, values in answers.items()}}, indent=2)
pathlib.Path(__file__).with_name("talib.json").write_text(text + "\n")
