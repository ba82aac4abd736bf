import app from '@adonisjs/core/services/app'
import edge from 'edge.js'
import { compileViewsOnce } from '#pages/compile_views_once'
import { renderCurrentSettings } from '#pages/current_settings'
import { viewHelpers } from '#pages/view_helpers'

for (const [name, helper] of Object.entries(viewHelpers)) edge.global(name, helper)
renderCurrentSettings(edge)
if (!app.inDev) compileViewsOnce(edge)
