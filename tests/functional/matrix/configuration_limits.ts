import { randomUUID } from 'node:crypto'
import { readConfiguration } from '#configuration/document/read_files'
import { configurationFile } from '#tests/support/configuration'
import type { LimitRow } from './limits.ts'

/* The limits on a configuration file, which is held in memory as a tree. */

async function isRead(...texts: string[]) {
  const files = await Promise.all(texts.map((text) => configurationFile(text)))
  return readConfiguration(files).then(
    () => true,
    () => false
  )
}

const group = () => `groups: [{ name: '${randomUUID()}' }]`

export const CONFIGURATION_LIMITS = {
  configurationBytes: {
    lowered: 200,
    isAllowed: (count) => isRead(group().padEnd(count)),
  },
  configurationFiles: {
    isAllowed: (count) => isRead(...Array.from({ length: count }, group)),
  },
  configurationNodes: {
    lowered: 40,
    /** The nodes are the map, the list, and for each group its map and its name. */
    isAllowed: (count) => {
      const pairs = Math.floor((count - 2) / 2)
      const odd = count % 2 === 1 ? '\nsource: odd' : ''
      const groups = Array.from({ length: pairs }, () => `{ name: '${randomUUID()}' }`)
      return isRead(`groups: [${groups.join(', ')}]${odd}`)
    },
  },
  configurationKey: {
    /** The rules of keys drop unknown members. */
    isAllowed: (count) =>
      isRead(`clients: [{ clientId: long, jwks: { keys: [{ ${'k'.repeat(count)}: 1 }] } }]`),
  },
  configurationDepth: {
    lowered: 7,
    /** The claims of a client are refused by its rules, and what is too deep before. */
    isAllowed: async (count) => {
      const key = `${'{ a: '.repeat(count - 5)}1${' }'.repeat(count - 5)}`
      return isRead(`clients: [{ clientId: deep, jwks: { keys: [${key}] } }]`)
    },
  },
} satisfies Record<string, LimitRow>
