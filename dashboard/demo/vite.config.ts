import { defineConfig } from 'vite';

/** The bar that the demo's gateway adds to its page: two files of fixed names, apart from those of the page. */
export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: 'bar.tsx',
      output: { entryFileNames: 'bar.js', assetFileNames: 'bar.[ext]', codeSplitting: false },
    },
  },
});
