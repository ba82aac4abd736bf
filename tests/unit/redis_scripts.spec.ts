import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { scripts } from '#auth/store/redis/scripts'

const folder = join(import.meta.dirname, '../../app/auth/store/redis/scripts')

test.group('Redis scripts', () => {
  const all = Object.entries(scripts).map(([name, script]) => ({ name, ...script }))

  test('{name} begins with its shebang, includes resolved')
    .with(all)
    .run(({ assert }, { lua }) => {
      assert.match(lua, /^#!lua( flags=allow-oom)?\n/)
      assert.notMatch(lua, /^-- include:/m)
    })

  test('{name} uses as many keys as it is given')
    .with(all)
    .run(({ assert }, { lua, numberOfKeys }) => {
      const used = [...lua.matchAll(/KEYS\[(\d)\]/g)].map(([, index]) => Number(index))
      assert.equal(Math.max(...used), numberOfKeys)
    })

  test('every file is one of the scripts', ({ assert }) => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.lua'))
    assert.lengthOf(files, all.length)
  })
})
