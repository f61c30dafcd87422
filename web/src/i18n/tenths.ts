/** As a value is shown with one place. The terminal rounds alike (`study/shown.py`). */
export const tenths = (n: number): number => (Math.sign(n) * Math.round(10 * Math.abs(n))) / 10 + 0;
