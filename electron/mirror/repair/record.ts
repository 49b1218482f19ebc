/** A value as SQLite stores it. */
export type Value = null | number | string | Uint8Array

/** Reads the varint at `at`. `end`: the position after it. Null: the bytes end first, or it is larger than a safe integer. */
export function varint(bytes: Buffer, at: number): { value: number; end: number } | null {
  let value = 0n
  for (let n = 0; n < 9; n += 1) {
    const byte = bytes[at + n]
    if (byte === undefined) return null
    value = n === 8 ? (value << 8n) | BigInt(byte) : (value << 7n) | BigInt(byte & 0x7f)
    if (n < 8 && byte >= 0x80) continue
    const signed = BigInt.asIntN(64, value)
    return signed > BigInt(Number.MAX_SAFE_INTEGER) || signed < BigInt(Number.MIN_SAFE_INTEGER)
      ? null
      : { value: Number(signed), end: at + n + 1 }
  }
  return null
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const intBytes = [0, 1, 2, 3, 4, 6, 8]

/** Reads the columns of a record (section 2.1 of SQLite's file format). Null: SQLite would not have written these bytes. */
export function decodeRecord(payload: Buffer): Value[] | null {
  const header = varint(payload, 0)
  if (header === null || header.value < header.end || header.value > payload.length) return null
  const values: Value[] = []
  let body = header.value
  for (let at = header.end; at < header.value;) {
    const serial = varint(payload, at)
    if (serial === null || serial.end > header.value || serial.value < 0) return null
    at = serial.end
    const read = readValue(payload, body, serial.value)
    if (read === null) return null
    values.push(read.value)
    body = read.end
  }
  return body === payload.length ? values : null
}

function readValue(payload: Buffer, at: number, serial: number): { value: Value; end: number } | null {
  if (serial === 0) return { value: null, end: at }
  if (serial === 8 || serial === 9) return { value: serial - 8, end: at }
  if (serial === 10 || serial === 11) return null
  const size = serial >= 12 ? Math.floor((serial - 12) / 2) : serial === 7 ? 8 : (intBytes[serial] ?? 0)
  const end = at + size
  if (end > payload.length) return null
  if (serial === 7) return { value: payload.readDoubleBE(at), end }
  if (serial < 7) {
    const value = serial === 6 ? Number(payload.readBigInt64BE(at)) : payload.readIntBE(at, size)
    return Number.isSafeInteger(value) ? { value, end } : null
  }
  const bytes = payload.subarray(at, end)
  if (serial % 2 === 0) return { value: new Uint8Array(bytes), end }
  try {
    return { value: utf8.decode(bytes), end }
  } catch {
    return null
  }
}
