import { readdirSync } from 'node:fs'
import { test } from '@japa/runner'
import app from '@adonisjs/core/services/app'
import { toProblem } from '#exceptions/problem'
import { createKeyValidator } from '#validators/api_keys'

const FOLDER = app.makePath('app/validators')

async function validators() {
  const modules = await Promise.all(readdirSync(FOLDER).map((file) => import(`${FOLDER}/${file}`)))
  const exported = modules.flatMap((module) => Object.entries<any>(module))
  return exported.filter(([, value]) => typeof value?.toJSONSchema === 'function')
}

function unboundedLists(schema: any, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const isUnbounded = schema.type === 'array' && schema.maxItems === undefined
  const inner = Object.entries(schema).flatMap(([key, value]) =>
    unboundedLists(value, `${path}.${key}`)
  )
  return isUnbounded ? [path, ...inner] : inner
}

test.group('List lengths', () => {
  test('each list of a validator has a maximum', async ({ assert }) => {
    const found = await validators()
    assert.isAbove(found.length, 50)
    assert.deepEqual(
      found.flatMap(([name, validator]) => unboundedLists(validator.toJSONSchema(), name)),
      []
    )
  })

  test('a list that is too long has one error', async ({ assert }) => {
    const given = {
      name: 'Nightly',
      scopes: Array.from({ length: 5_000 }, (_, index) => `x${index}`),
    }
    const [error] = await createKeyValidator.tryValidate(given)
    assert.deepEqual(
      error?.messages.map(({ rule }: { rule: string }) => rule),
      ['array.maxLength']
    )
  })

  test('an answer holds {shown} of {given} errors')
    .with([
      { given: 99, shown: 99 },
      { given: 100, shown: 100 },
      { given: 101, shown: 100 },
    ])
    .run(({ assert }, { given, shown }) => {
      const error = { field: 'a', rule: 'enum', message: 'The a field must be one of b' }
      const messages = Array.from({ length: given }, () => error)
      const problem = toProblem({ code: 'E_VALIDATION_ERROR', messages })
      assert.lengthOf(problem.errors!, shown)
    })
})
