import { dirname } from 'node:path'
import type { Import } from './source_files.ts'

/** Returns a list for each cycle of files that import each other at run time. */
export function findCycles(imports: Import[]) {
  const next = new Map<string, string[]>()
  for (const { from, to, isType } of imports) {
    if (!isType) next.set(from, [...(next.get(from) ?? []), to])
  }
  return stronglyConnected(next).filter((group) => group.length > 1)
}

/** The algorithm of Tarjan, “Depth-first search and linear graph algorithms” (1972). */
function stronglyConnected(next: Map<string, string[]>) {
  const [index, low] = [new Map<string, number>(), new Map<string, number>()]
  const [stack, groups]: [string[], string[][]] = [[], []]

  function visit(file: string) {
    index.set(file, index.size)
    low.set(file, index.get(file)!)
    stack.push(file)
    for (const other of next.get(file) ?? []) {
      if (!index.has(other)) visit(other)
      if (stack.includes(other)) low.set(file, Math.min(low.get(file)!, low.get(other)!))
    }
    if (low.get(file) === index.get(file)) groups.push(stack.splice(stack.indexOf(file)))
  }

  for (const file of next.keys()) if (!index.has(file)) visit(file)
  return groups
}

/** Returns pairs of folders that import each other, except a folder and one inside it. */
export function mutualFolders(imports: Import[]) {
  const pairs = new Set(imports.map(({ from, to }) => `${dirname(from)} ${dirname(to)}`))
  return [...pairs]
    .map((pair) => pair.split(' '))
    .filter(([one, other]) => one < other && !other.startsWith(`${one}/`))
    .filter(([one, other]) => pairs.has(`${other} ${one}`))
    .map(([one, other]) => `${one} ⇄ ${other}`)
}
