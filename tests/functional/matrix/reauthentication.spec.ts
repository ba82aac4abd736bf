import { test } from '@japa/runner'
import router from '@adonisjs/core/services/router'

/*
 | Every form of the console and the account declares why it asks for reauthentication, or why it
 | does not. A route without a declaration would be open to an attacker at an unattended browser.
 */

type Route = ReturnType<typeof router.toJSON>[string][number]

const FORMS = /^\/(admin|account)(\/|$)/

function changingRoutes() {
  const routes = Object.values(router.toJSON()).flat()
  return routes.filter(({ methods, pattern }) => methods.includes('POST') && FORMS.test(pattern))
}

function declarationOf({ middleware }: Route) {
  const named = [...middleware.all()].filter(
    (item): item is Extract<typeof item, { args?: unknown }> =>
      typeof item === 'object' && item.name === 'reauthentication'
  )
  return named.at(0)?.args as { purpose?: unknown; none?: string } | undefined
}

test.group('Matrix | reauthentication by route', () => {
  test('every form declares it, or why it needs none', ({ assert }) => {
    const routes = changingRoutes()
    const undeclared = routes.filter((route) => {
      const { purpose, none } = declarationOf(route) ?? {}
      return typeof purpose !== 'function' && !none?.trim()
    })
    assert.deepEqual(
      undeclared.map(({ pattern }) => pattern),
      []
    )
    assert.isAbove(routes.length, 90)
  })
})
