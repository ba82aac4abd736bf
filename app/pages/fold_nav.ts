/** Items that a phone shows beside “More”. */
const SHOWN = 5

/** The open page stays visible. A sixth item replaces “More”, which would hide it alone. */
export function foldNav<Item extends { id: string }>(items: Item[], current: string) {
  const isAll = items.length <= SHOWN + 1
  const at = items.findIndex(({ id }) => id === current)
  const shown = at < SHOWN ? SHOWN : SHOWN - 1
  return items.map((item, index) => ({
    ...item,
    isFolded: !isAll && index >= shown && index !== at,
  }))
}
