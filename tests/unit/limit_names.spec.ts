import { readdirSync } from 'node:fs'
import { test } from '@japa/runner'
import app from '@adonisjs/core/services/app'

const FOLDER = app.makePath('config/limits')

test.group('Limit names', () => {
  test('no limit has the name of a file, and none stands in two', async ({ assert }) => {
    const files = readdirSync(FOLDER)
    const modules = await Promise.all(files.map((file) => import(`${FOLDER}/${file}`)))
    const names = modules.flatMap((module) => Object.keys(module.default))
    const all = [...names, ...files.map((file) => file.replace('.ts', ''))]
    assert.isAbove(names.length, 100)
    assert.lengthOf(all, new Set(all).size)
  })
})
