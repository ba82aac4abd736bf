import { test } from '@japa/runner'
import { clientActor, SYSTEM } from '#audit/actor'

const NAME_LENGTH = 128

const named = (clientId: string) => clientActor(clientId, SYSTEM).name

const addressOf = (length: number, end: string) =>
  'https://apps.example.org/'.padEnd(length - end.length, 'x') + end

test.group('Actor | applications', () => {
  test('an id of {length} characters is named whole')
    .with([2, 120, 121].map((length) => ({ length })))
    .run(({ assert }, { length }) => {
      const clientId = 'x'.repeat(length)
      assert.equal(named(clientId), `client:${clientId}`)
    })

  test('two ids of {length} characters with one beginning have two names')
    .with([122, 128, 200].map((length) => ({ length })))
    .run(({ assert }, { length }) => {
      const names = ['1', '2'].map((end) => named(addressOf(length, end)))
      assert.notEqual(names[0], names[1])
      for (const name of names) {
        assert.lengthOf(name, NAME_LENGTH)
        assert.isTrue(name.startsWith('client:https://apps.example.org/'))
      }
    })
})
