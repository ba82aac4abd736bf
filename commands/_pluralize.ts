/** `1 event`, `2 events`. */
export function pluralize(count: number, unit: string) {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
