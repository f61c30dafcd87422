// SHA-256 (FIPS 180-4) for pages that have no Web Crypto: browsers offer it only over https and on localhost, and tables
// are also played over plain http in a home network. Nothing secret is hashed here. A test compares it with Web Crypto.

const PRIMES: number[] = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((prime) => n % prime !== 0)) PRIMES.push(n);

/** The first 32 bits of the fractional part. */
const fraction = (x: number): number => Math.floor((x - Math.floor(x)) * 2 ** 32) >>> 0;
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

const rotate = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

export function sha256(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(64 * Math.ceil((message.length + 9) / 64));
  padded.set(message);
  padded[message.length] = 0x80;
  const bytes = new DataView(padded.buffer);
  bytes.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29));
  bytes.setUint32(padded.length - 4, message.length << 3);

  const state = Uint32Array.from(START);
  const words = new Uint32Array(64);
  const at = (list: Uint32Array | readonly number[], i: number): number => list[i] ?? 0;
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = bytes.getUint32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [old, recent] = [at(words, i - 15), at(words, i - 2)];
      const small0 = rotate(old, 7) ^ rotate(old, 18) ^ (old >>> 3);
      const small1 = rotate(recent, 17) ^ rotate(recent, 19) ^ (recent >>> 10);
      words[i] = at(words, i - 16) + small0 + at(words, i - 7) + small1;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let i = 0; i < 64; i++) {
      const big1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const one = (h + big1 + ((e & f) ^ (~e & g)) + at(ROUND, i) + at(words, i)) | 0;
      const big0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const two = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = at(state, i) + word));
  }
  const digest = new Uint8Array(32);
  state.forEach((word, i) => new DataView(digest.buffer).setUint32(4 * i, word));
  return digest;
}

const BLOCK = 64;

/** HMAC-SHA-256 with a key of at most 64 bytes. */
export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array<ArrayBuffer> {
  const inner = new Uint8Array(BLOCK + message.length).fill(0x36, 0, BLOCK);
  const outer = new Uint8Array(BLOCK + 32).fill(0x5c, 0, BLOCK);
  key.forEach((byte, i) => {
    inner[i] = 0x36 ^ byte;
    outer[i] = 0x5c ^ byte;
  });
  inner.set(message, BLOCK);
  outer.set(sha256(inner), BLOCK);
  return sha256(outer);
}
