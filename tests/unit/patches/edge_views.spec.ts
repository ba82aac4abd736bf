import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { Edge } from 'edge.js'
import { compileViewsOnce } from '#pages/compile_views_once'
import { temporaryFolder } from '#tests/support/temporary_folder'

const PAGE = `@card()
  @each(name in ['Ada', 'Grace'])
    @include('name')
  @endeach
@end`

test.group('Patch | views of edge', (group) => {
  let folder: string
  group.each.setup(() => {
    folder = temporaryFolder('views')
    mkdirSync(join(folder, 'components'))
    write('components/card', 'card: {{{ await $slots.main() }}}')
    write('page', PAGE)
    write('name', 'I am {{ name }}.')
    return () => rmSync(folder, { recursive: true })
  })

  function write(view: string, text: string) {
    writeFileSync(join(folder, `${view}.edge`), text)
  }

  async function render(edge: Edge, view = 'page', state = {}) {
    const html = await edge.render(view, state)
    return html.replaceAll(/\s+/g, ' ').trim()
  }

  /** Makes an Edge as in production, with a cache of its own. */
  function cachingEdge() {
    return Edge.create({ cache: true }).mount(folder)
  }

  /** Counts how often views are compiled while a page is rendered for the second time. */
  async function countCompilations(edge: Edge) {
    let compilations = 0
    edge.processor.process('compiled', () => void compilations++)
    const first = await render(edge)
    compilations = 0
    const isSame = (await render(edge)) === first
    return { compilations, isSame }
  }

  test('edge compiles an included view each time', async ({ assert }) => {
    assert.deepEqual(await countCompilations(cachingEdge()), { compilations: 2, isSame: true })
  })

  test('patched edge compiles each view once', async ({ assert }) => {
    const edge = cachingEdge()
    compileViewsOnce(edge)
    assert.deepEqual(await countCompilations(edge), { compilations: 0, isSame: true })
  })

  test('patched edge gives an included view its variables', async ({ assert }) => {
    const edge = cachingEdge()
    compileViewsOnce(edge)
    write('other', `@let(name = 'Alan')\n@include('name')`)
    assert.equal(await render(edge), 'card: I am Ada. I am Grace.')
    assert.equal(await render(edge, 'other'), 'I am Alan.')
    assert.equal(await render(edge, 'name', { name: 'Eve' }), 'I am Eve.')
  })

  test('edge without cache renders views as they are now', async ({ assert }) => {
    const edge = Edge.create().mount(folder)
    await render(edge)
    write('name', 'You are {{ name }}.')
    write('components/card', '{{{ await $slots.main() }}}\n@hint()\n@end')
    write('components/hint', 'Sign in.')
    assert.equal(await render(edge), 'You are Ada. You are Grace.Sign in.')
  })
})
