import { ensureShownSettings } from '#settings/values/ensure_settings'
import type { Edge } from 'edge.js'

/** A page shows the current name, colour and logo, whichever process has changed them. */
export function renderCurrentSettings(edge: Edge) {
  edge.onRender((renderer) => {
    const render = renderer.render.bind(renderer)
    renderer.render = async (...view) => {
      await ensureShownSettings()
      return render(...view)
    }
  })
}
