const SLOTS = 16_384

const HIGHEST_BIT = 0x80_00
const POLYNOMIAL = 0x10_21

/** CRC16 of the hash tag (redis.io, cluster specification: key distribution model). */
export function slotOf(tag: string) {
  let crc = 0
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) {
      crc = ((crc & HIGHEST_BIT ? (crc << 1) ^ POLYNOMIAL : crc << 1) & 0xff_ff) >>> 0
    }
  }
  return crc % SLOTS
}

let tags: string[] | undefined

/** Returns, for each slot, a hash tag that maps to the slot. */
export function tagsOfSlots() {
  return (tags ??= findTags())
}

function findTags() {
  const found: string[] = Array.from({ length: SLOTS })
  let missing = SLOTS
  for (let number = 0; missing > 0; number++) {
    const tag = String(number)
    const slot = slotOf(tag)
    if (found[slot] !== undefined) continue
    found[slot] = tag
    missing--
  }
  return found
}
