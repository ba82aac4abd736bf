/** Returns whether a version comes before another. What follows a `-` or `+` does not count. */
export function isOlder(version: string, than: string) {
  const [one, other] = [partsOf(version), partsOf(than)]
  const at = one.findIndex((part, index) => part !== other[index])
  return at >= 0 && one[at] < other[at]
}

function partsOf(version: string) {
  const [release] = version.split(/[-+]/)
  const parts = release.split('.').map((part) => Number.parseInt(part) || 0)
  return [0, 1, 2].map((index) => parts[index] ?? 0)
}
