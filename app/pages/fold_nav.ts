/** How many items a phone shows beside “More”. */
const SHOWN = 5

/**
 * Marks the items that a phone keeps behind “More”: all but five, and the page that is open is
 * one of the five. A sixth one takes the room of “More” itself.
 */
export function foldNav<Item extends { id: string }>(items: Item[], current: string) {
  const isAll = items.length <= SHOWN + 1
  const at = items.findIndex(({ id }) => id === current)
  const shown = at < SHOWN ? SHOWN : SHOWN - 1
  return items.map((item, index) => ({
    ...item,
    isFolded: !isAll && index >= shown && index !== at,
  }))
}
