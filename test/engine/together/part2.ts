import './together';
