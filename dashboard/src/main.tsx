import { render } from 'preact';
import { App } from './app.tsx';
import './style.css';

const root = document.getElementById('app');
if (root === null) throw new Error('index.html has an element with the id app');
root.replaceChildren();
render(<App />, root);
