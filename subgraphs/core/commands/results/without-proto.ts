// Removes `__proto__` from this thread. The glTF validator reads it if it exists, which --disable-proto=throw forbids.
Reflect.deleteProperty(Object.prototype, '__proto__');
