/* A library that is no plug-in. */
int alien(void);
int alien(void) { return 42; }
