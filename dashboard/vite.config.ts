import { defineConfig } from 'vite';

/** The page, as the gateway serves it: three files of fixed names, and no script or style inside the page. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  // The libraries of the page, and no Babel: TypeScript's own settings say how its elements are compiled.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: { entryFileNames: 'app.js', assetFileNames: 'app.[ext]', codeSplitting: false },
    },
  },
});
